# Half of the step.
# file: richardson.c
# seen by: preload linear water water_drift
s/2.0 \* half_step/half_step/
