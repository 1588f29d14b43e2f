/* mr.cl - the flow `mr`: src/motion/flows/mr.c. */
#include "device/cl/flow_begin.cl"
#include "motion/flows/mr.c"
#define FLOW_DATA const int data = 0
#include "device/cl/flow_end.cl"
