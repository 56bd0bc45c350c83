"""Four whole events played through the services that the pages use, from a seed that can be given again."""
