"""The results of phases: in words, on the map, as pictures and in the chart of centres."""
