"""What the API takes and gives. Answers are built from scratch for each audience: public, player, staff."""
