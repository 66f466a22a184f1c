tracepoint:test:ints
   0: call 14
   1: r2 = r0
   2: r0 = 1
   3: exit
