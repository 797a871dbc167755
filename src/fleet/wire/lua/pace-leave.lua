-- Leaves the queue of a lane.
-- KEYS: as in pace-take.lua
-- ARGV: [1] ticket
-- @include drop-ticket
drop(ARGV[1])
