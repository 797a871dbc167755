-- Records a heartbeat of a process (`entry` is '' for an observer) and lists all members. `previous`: the caller's entry before, to remove
-- ('': none). If Redis' clock was set back, the silence of all members is measured from now.
-- Returns the time, then entry, score, entry, score, ...
-- @include now
if previous ~= '' then redis.call('ZREM', members, previous) end
if entry ~= '' then redis.call('ZADD', members, now, entry) end
local answer, all = {string.format('%.3f', now)}, redis.call('ZRANGE', members, 0, -1, 'WITHSCORES')
for i = 1, #all, 2 do
  local member, at = all[i], tonumber(all[i + 1])
  if at <= now - removedMs then
    redis.call('ZREM', members, member)
  else
    if at > now + 0.001 then
      redis.call('ZADD', members, now, member)
      at = now
    end
    answer[#answer + 1], answer[#answer + 2] = member, string.format('%.3f', at)
  end
end
return answer
