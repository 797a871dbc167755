-- Claims the leadership of a lookup.
-- Returns 1: claimed; 2: claimed, and another leadership ended recently; 0: another gateway leads.
local leader = redis.call('GET', lead)
if leader and leader ~= 'ended' then return 0 end
redis.call('SET', lead, token, 'PX', leadMs)
return leader and 2 or 1
