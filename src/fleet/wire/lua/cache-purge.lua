-- Deletes the entries whose member begins with `membersOf`.
-- Returns how many were deleted.
-- @include drop-entry
local n = 0
for _, member in ipairs(redis.call('ZRANGE', order, 0, -1)) do
  if string.sub(member, 1, #membersOf) == membersOf then
    drop(member)
    n = n + 1
  end
end
return n
