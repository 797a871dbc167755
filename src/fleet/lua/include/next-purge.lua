-- Time of the next purge of an answer: later than all before. KEYS: [1] as in purge-answer.lua
-- @include now
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
local at = math.max(math.floor(now), (tonumber(last[2]) or 0) + 1)
