tracepoint:sched:sched_switch
   0: call 14
   1: r2 = r0
   2: r2 >>= 32
   3: if r2 == 77 goto 46
   4: r1 = r10
   5: r1 += -16
   6: r2 = 16
   7: call 16
   8: r1 = map @
  10: r2 = r10
  11: r2 += -16
  12: call 1
  13: r6 = r0
  14: if r6 != 0 goto 43
  15: *(u64 *)(r10 -24) = 0
  16: r1 = map @
  18: r2 = r10
  19: r2 += -16
  20: r3 = r10
  21: r3 += -24
  22: r4 = 1
  23: call 2
  24: r1 = map @
  26: r2 = r10
  27: r2 += -16
  28: call 1
  29: r6 = r0
  30: if r6 != 0 goto 43
  31: *(u32 *)(r10 -32) = 1
  32: r1 = map losses
  34: r2 = r10
  35: r2 += -32
  36: call 1
  37: r2 = r0
  38: if r2 == 0 goto 46
  39: r3 = *(u64 *)(r2 +0)
  40: r3 += 1
  41: *(u64 *)(r2 +0) = r3
  42: goto 46
  43: r2 = *(u64 *)(r6 +0)
  44: r2 += 1
  45: *(u64 *)(r6 +0) = r2
  46: r0 = 1
  47: exit
