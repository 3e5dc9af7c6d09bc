"""The pages. Each: reach the game through `visibility`, call one service or one view, render."""
