-- Ends a leadership and publishes its result to the followers.
-- KEYS: [1] as in lead-claim.lua, also the name of the channel
-- ARGV: [1] token of the leader, [2] message, [3] ms to keep "ended"
-- @include end-lead
endLead(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
