"""Pages of events, by audience: public, player, desk, draft."""
