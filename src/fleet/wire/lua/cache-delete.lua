-- Deletes one entry of the shared cache.
-- KEYS: [1] order, [2] sizes, [3] prefix, as in cache-put.lua
-- ARGV: [1] member
-- Returns how many entries there were (0 or 1).
-- @include drop-entry
local existed = redis.call('EXISTS', KEYS[3] .. ARGV[1])
drop(ARGV[1])
return existed
