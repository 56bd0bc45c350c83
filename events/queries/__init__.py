"""Every read of this app that is more than one line. Nothing here writes."""
