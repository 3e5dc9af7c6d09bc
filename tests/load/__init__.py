"""How much the whole site can do: real processes and real servers, as `./run` starts them."""
