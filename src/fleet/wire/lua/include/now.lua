-- Redis' time, epoch ms with microseconds: one clock for all machines.
local t = redis.call('TIME')
local now = t[1] * 1000 + t[2] / 1000
