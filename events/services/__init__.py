"""The only writers of this app: one keyword-only function for each change of state.

Every function takes ``event_id``, ``actor`` and, where a person sent it, ``command`` (the idempotency key and the
version that the sender saw), runs in one ``event_transaction`` and returns a ``Change``.
"""
