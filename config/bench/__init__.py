"""Measures what must be fast. Numbers, never tests: a busy machine is no fault of the code."""
