-- Ends a leadership and publishes its result to the followers.
-- @include end-lead
endLead()
