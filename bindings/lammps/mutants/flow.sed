# Another flow than the one asked for.
# file: common.cpp
# seen by: once preload
s/ph_flow_named(name,/ph_flow_named("sr2",/
