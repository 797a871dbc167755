-- Paces upstream requests over all machines: GCRA by Redis' clock, with fair turns by account (start-time fair queueing).
-- A key that is unknown within the first second after the caller joined may have been lost with the data of Redis, just after a burst: no burst
-- is allowed for that second. If Redis' clock was set back, all times of the lane are moved back with it.
-- Lane (hash): tat = theoretical arrival time of the next request, rest = no request until then, cold = no burst until then, at = time of the last
-- call, round = tag of the last ticket that was served. Queue (sorted set): ticket by tag. Calls (sorted set): ticket by the time of its next call.
-- Tags (hash): account to its last tag.
-- A ticket may be `lateMs` late for its turn (later turns that pile up while a process is suspended must not all be taken at once), and is removed
-- `silentMs` after it.
-- Returns {ms to wait, verdict}; verdict 1: send now, 0: refused, 2: call again after that wait.
-- @include now
-- @include drop-ticket
-- @include gcra
local state = redis.call('HMGET', lane, 'tat', 'rest', 'cold', 'at', 'round')
local tat, rest, cold = tonumber(state[1]) or 0, tonumber(state[2]) or 0, tonumber(state[3]) or 0
local round, back = tonumber(state[5]) or 0, math.max(0, (tonumber(state[4]) or 0) - now)
if back > 0 then
  tat, rest, cold = tat - back, rest - back, cold - back
  redis.call('DEL', queue, calls, tags)
end
if not state[1] and joinedMs < 1000 then cold = now + 1000 - joinedMs end
if now < cold then burst = 1 end
local function save()
  local function text(ms) return string.format('%.3f', ms) end
  redis.call('HSET', lane, 'tat', text(tat), 'rest', text(rest), 'cold', text(cold), 'at', text(now), 'round', text(round))
  local ttl = math.ceil(math.max(tat, rest, cold) - now) + 1000
  if redis.call('PTTL', lane) < ttl then redis.call('PEXPIRE', lane, ttl) end
end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', calls, '-inf', now - silentMs)) do drop(gone) end
if rest > now then
  drop(ticket)
  return {string.format('%.3f', rest - now), 0}
end
local tag = tonumber(redis.call('ZSCORE', queue, ticket))
local late = tag and lateMs or 0
if not tag then
  tag = math.max(round, tonumber(redis.call('HGET', tags, account)) or 0) + 1
  redis.call('ZADD', queue, tag, ticket)
end
local ahead = redis.call('ZRANK', queue, ticket)
-- a late ticket is served as if it were its turn
local turnMs = now - late
local wait = math.max(0, waitMsOf(tat, everyMs, burst, turnMs, ahead * everyMs) - late)
if wait <= EPSILON_MS then
  tat = arrivalAfter(tat, everyMs, turnMs)
  round = math.max(round, tag)
  drop(ticket)
  save()
  return {'0', 1}
end
if wait > patienceMs then
  drop(ticket)
  return {string.format('%.3f', wait), 0}
end
redis.call('ZADD', calls, now + wait, ticket)
redis.call('HSET', tags, account, math.max(tag, tonumber(redis.call('HGET', tags, account)) or 0))
save()
for _, key in ipairs({queue, calls, tags}) do redis.call('PEXPIRE', key, math.ceil(wait) + 600000) end
return {string.format('%.3f', wait), 2}
