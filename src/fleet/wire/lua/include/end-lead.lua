-- Ends a leadership and publishes its result to the followers. The key of the leader is also the name of the channel.
local function endLead()
  if redis.call('GET', lead) == token then redis.call('SET', lead, 'ended', 'PX', endedMs) end
  redis.call('PUBLISH', lead, message)
end
