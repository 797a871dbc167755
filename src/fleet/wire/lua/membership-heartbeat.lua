-- Records a heartbeat of a process and lists all members. If Redis' clock was set back, the silence of all members is measured from now.
-- KEYS: [1] members (sorted set: entry by time of its last heartbeat)
-- ARGV: [1] the caller's entry ('' for an observer), [2] ms without a heartbeat after which a member is removed, [3] the caller's previous entry, to remove ('': none)
-- Returns the time, then entry, score, entry, score, ...
-- @include now
if ARGV[3] ~= '' then redis.call('ZREM', KEYS[1], ARGV[3]) end
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
local answer, all = {string.format('%.3f', now)}, redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for i = 1, #all, 2 do
  local entry, at = all[i], tonumber(all[i + 1])
  if at <= now - ARGV[2] then
    redis.call('ZREM', KEYS[1], entry)
  else
    if at > now + 0.001 then
      redis.call('ZADD', KEYS[1], now, entry)
      at = now
    end
    answer[#answer + 1], answer[#answer + 2] = entry, string.format('%.3f', at)
  end
end
return answer
