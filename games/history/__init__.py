"""What came of the phases: results in words, the map, pictures, the chart of centres."""
