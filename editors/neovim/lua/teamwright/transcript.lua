-- A transcript as the server computes it: entries in their order, by id. It is patched and read, never interpreted.

---@class teamwright.TranscriptState
---@field rev integer the last patch that was applied
---@field order string[] ids
---@field by_id table<string, teamwright.Entry>
---@field more boolean whether there are entries before these
---@field watchers table<table, fun(op?: teamwright.PatchOp)> told of each op, and without one when all is new
---@field lengths table<string, integer> code points of texts that grow
local Transcript = {}
Transcript.__index = Transcript

---@return teamwright.TranscriptState
function Transcript.new()
  return setmetatable({ rev = 0, order = {}, by_id = {}, more = false, watchers = {}, lengths = {} }, Transcript)
end

---@param op? teamwright.PatchOp
function Transcript:_tell(op)
  for _, watcher in pairs(self.watchers) do
    watcher(op)
  end
end

---Everything as the server has it now.
---@param opened teamwright.Transcript
function Transcript:open(opened)
  self.rev, self.more = opened.rev, opened.more
  self.order, self.by_id, self.lengths = {}, {}, {}
  for _, entry in ipairs(opened.entries) do
    table.insert(self.order, entry.entryId)
    self.by_id[entry.entryId] = entry
  end
  self:_tell()
end

---An earlier page goes before what is there.
---@param page teamwright.Transcript
function Transcript:prepend(page)
  local ids = vim.tbl_map(function(entry)
    self.by_id[entry.entryId] = entry
    return entry.entryId
  end, page.entries)
  self.order, self.more = vim.list_extend(ids, self.order), page.more
  self:_tell()
end

---@param entryId string
---@return integer? place in the order; what is asked for is mostly near the end
function Transcript:place(entryId)
  for place = #self.order, 1, -1 do
    if self.order[place] == entryId then
      return place
    end
  end
end

---@param entryId string
---@param name string
---@return teamwright.Part?
function Transcript:part(entryId, name)
  return vim.iter((self.by_id[entryId] or { parts = {} }).parts):find(function(part)
    return part.part == name
  end)
end

---@type table<string, fun(self: teamwright.TranscriptState, op: teamwright.PatchOp): boolean> whether it fits
local OPS = {
  upsert = function(self, op)
    local entry = op.entry
    if not self.by_id[entry.entryId] then
      local behind = op.after and self:place(op.after) or #self.order
      table.insert(self.order, behind + 1, entry.entryId)
    end
    self.by_id[entry.entryId] = entry
    for _, part in ipairs(entry.parts) do
      self.lengths[entry.entryId .. "\0" .. part.part] = nil
    end
    return true
  end,
  remove = function(self, op)
    local place = self:place(op.entryId)
    if place then
      table.remove(self.order, place)
      self.by_id[op.entryId] = nil
    end
    return true
  end,
  append = function(self, op)
    local part, key = self:part(op.entryId, op.part), op.entryId .. "\0" .. op.part
    local length = part and (self.lengths[key] or vim.str_utfindex(part.text, "utf-32"))
    if not part or length ~= op.offset then
      return false
    end
    part.text = part.text .. op.text
    self.lengths[key] = length + vim.str_utfindex(op.text, "utf-32")
    return true
  end,
}

---@param patched teamwright.TranscriptPatched
---@return boolean whether nothing was missed: otherwise it has to be opened again
function Transcript:patch(patched)
  if patched.rev <= self.rev then
    return true
  elseif patched.rev > self.rev + 1 then
    return false
  end
  self.rev = patched.rev
  for _, op in ipairs(patched.patch) do
    if not OPS[op.op](self, op) then
      return false
    end
    self:_tell(op)
  end
  return true
end

---@return teamwright.Entry[] the latest first
function Transcript:latest()
  return vim.iter(self.order):rev():map(function(id)
    return self.by_id[id]
  end)
end

---@param command teamwright.CommandName
---@return teamwright.Action? the latest that sends it, of what does not wait for its turn
---@return teamwright.Entry?
function Transcript:action(command)
  local found = self:offers(command)[1] or {}
  return found.action, found.entry
end

---@param command teamwright.CommandName
---@return { action: teamwright.Action, entry: teamwright.Entry }[] all of them, the latest first
function Transcript:offers(command)
  local found = {}
  for entry in self:latest() do
    for _, action in ipairs(entry.actions) do
      if action.command == command and entry.state ~= "queued" then
        table.insert(found, { action = action, entry = entry })
      end
    end
  end
  return found
end

return Transcript
