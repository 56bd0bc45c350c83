"""The ways out: e-mail, push and webhooks. They send one message and say how it went; they write nothing."""
