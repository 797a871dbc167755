-- Ends a leadership and publishes its result to the followers.
local function endLead()
  if redis.call('GET', lead) == token then redis.call('SET', lead, 'ended', 'PX', endedMs) end
  redis.call('PUBLISH', channel, message)
end
