-- Deletes the entries whose member begins with a prefix.
-- KEYS: [1] order, [2] sizes, [3] prefix of the entries, as in cache-put.lua
-- ARGV: [1] prefix of the members
-- Returns how many were deleted.
-- @include drop-entry
local n = 0
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if string.sub(member, 1, #ARGV[1]) == ARGV[1] then
    drop(member)
    n = n + 1
  end
end
return n
