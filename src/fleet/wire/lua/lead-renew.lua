-- Renews a leadership.
if redis.call('GET', lead) == token then redis.call('PEXPIRE', lead, leadMs) end
