"""Examples for people who study the game: a notebook for the first steps, a game saved by another program, and an
environment for reinforcement learning. Copy what you need into a folder of your own."""
