"""The writers of rules: game packs, publications, rulings."""
