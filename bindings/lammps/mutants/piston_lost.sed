# A piston that rests after a restart.
# file: common.cpp
# seen by: pressure
s/barostat.rate = state.rate;//
