# The velocity of the beginning of the step instead of its middle.
# file: richardson.c
# seen by: middle
s/w\[0\] = velocity.x.*/(void)w;/
