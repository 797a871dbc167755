-- Ends a leadership and publishes its result to the followers. The key of the leader is also the name of the channel.
local function endLead(key, token, message, endedMs)
  if redis.call('GET', key) == token then redis.call('SET', key, 'ended', 'PX', endedMs) end
  redis.call('PUBLISH', key, message)
end
