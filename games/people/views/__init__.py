"""The pages of people and moderators."""
