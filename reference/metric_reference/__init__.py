"""What every variant of a recommender metric means: arrays in, arrays out, numpy only."""
