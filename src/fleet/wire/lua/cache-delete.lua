-- Deletes one entry of the shared cache.
-- Returns how many entries there were (0 or 1).
-- @include drop-entry
local existed = redis.call('EXISTS', prefix .. member)
drop(member)
return existed
