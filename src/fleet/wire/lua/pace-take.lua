-- Paces upstream requests over all machines: GCRA by Redis' clock, with fair turns by account (start-time fair queueing).
-- A key that is unknown within the first second after the caller joined may have been lost with the data of Redis, just after a burst: no burst
-- is allowed for that second. If Redis' clock was set back, all times of the lane are moved back with it.
-- KEYS: [1] lane (hash: tat = theoretical arrival time of the next request, rest = no request until then, cold = no burst until then,
--       at = time of the last call, round = tag of the last ticket that was served), [2] queue (sorted set: ticket by tag),
--       [3] calls (sorted set: ticket by the time of its next call), [4] tags (hash: account to its last tag)
-- ARGV: [1] ms between requests, [2] burst, [3] longest wait in ms, [4] ms since the caller joined the fleet, [5] ticket, [6] account,
--       [7] ms that a ticket may be late for its turn (later turns that pile up while a process is suspended must not all be taken at once),
--       [8] ms after its turn after which a ticket is removed
-- Returns {ms to wait, verdict}; verdict 1: send now, 0: refused, 2: call again after that wait.
-- @include now
-- @include drop-ticket
local every, burst, patience, ticket, account = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[5], ARGV[6]
local state = redis.call('HMGET', KEYS[1], 'tat', 'rest', 'cold', 'at', 'round')
local tat, rest, cold = tonumber(state[1]) or 0, tonumber(state[2]) or 0, tonumber(state[3]) or 0
local round, back = tonumber(state[5]) or 0, math.max(0, (tonumber(state[4]) or 0) - now)
if back > 0 then
  tat, rest, cold = tat - back, rest - back, cold - back
  redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
end
if not state[1] and tonumber(ARGV[4]) < 1000 then cold = now + 1000 - ARGV[4] end
if now < cold then burst = 1 end
local function save()
  local function text(ms) return string.format('%.3f', ms) end
  redis.call('HSET', KEYS[1], 'tat', text(tat), 'rest', text(rest), 'cold', text(cold), 'at', text(now), 'round', text(round))
  local ttl = math.ceil(math.max(tat, rest, cold) - now) + 1000
  if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[8])) do drop(gone) end
if rest > now then
  drop(ticket)
  return {string.format('%.3f', rest - now), 0}
end
local tag = tonumber(redis.call('ZSCORE', KEYS[2], ticket))
local late = tag and tonumber(ARGV[7]) or 0
if not tag then
  tag = math.max(round, tonumber(redis.call('HGET', KEYS[4], account)) or 0) + 1
  redis.call('ZADD', KEYS[2], tag, ticket)
end
local ahead = redis.call('ZRANK', KEYS[2], ticket)
local first = math.max(tat, now - late)
local wait = math.max(first + (ahead - burst + 1) * every - now, 0)
if wait <= 0 then
  tat = first + every
  round = math.max(round, tag)
  drop(ticket)
  save()
  return {'0', 1}
end
if wait > patience then
  drop(ticket)
  return {string.format('%.3f', wait), 0}
end
redis.call('ZADD', KEYS[3], now + wait, ticket)
redis.call('HSET', KEYS[4], account, math.max(tag, tonumber(redis.call('HGET', KEYS[4], account)) or 0))
save()
for i = 2, 4 do redis.call('PEXPIRE', KEYS[i], math.ceil(wait) + 600000) end
return {string.format('%.3f', wait), 2}
