-- What is to be approved, as a buffer of JSON. Writing it approves with what was changed; closing it decides nothing.
local decisions = require("quorate.decisions")
local json = require("quorate.ui.json")
local notify = require("quorate.notify")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("quorate.spec")

---@param before any
---@param after any
---@return any? the parts of `after` that are not as before; whole where it is no object
local function difference(before, after)
  if type(before) ~= "table" or type(after) ~= "table" or vim.islist(after) or vim.islist(before) then
    return not vim.deep_equal(before, after) and after or nil
  end
  local changed = {}
  for key, value in pairs(after) do
    changed[key] = difference(before[key], value)
  end
  for key in pairs(before) do
    if after[key] == nil then
      changed[key] = vim.NIL
    end
  end
  return next(changed) and changed or nil
end

---@param pending quorate.PendingDecision
---@return table what is edited
---@return fun(edited: table): table? what is sent for it
local function subject(pending)
  local decision = pending.decision
  if decision.kind == "plan" then
    local plan = decision.detail.plan
    return plan, function(edited)
      return not vim.deep_equal(edited, plan) and { plan = edited } or nil
    end
  end
  local spec = decision.detail.spec
  return spec, function(edited)
    return difference(spec, edited)
  end
end

---@param bufnr integer
---@param message string
local function show_fault(bufnr, message)
  local line = tonumber(message:match("line (%d+)")) or 1
  vim.diagnostic.set(NAMESPACE, bufnr, {
    { lnum = math.min(line, vim.api.nvim_buf_line_count(bufnr)) - 1, col = 0, message = message, source = "quorate" },
  })
  notify.error(message)
end

---@param pending quorate.PendingDecision
---@param bufnr integer
---@param edits_of fun(edited: table): table?
local function approve(pending, bufnr, edits_of)
  local written = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), "\n")
  local ok, edited = pcall(vim.json.decode, written, { luanil = { object = true } })
  if not ok or type(edited) ~= "table" then
    return show_fault(bufnr, "this is not JSON: " .. tostring(edited):gsub("^.-:%d+: ", ""))
  end
  vim.diagnostic.reset(NAMESPACE, bufnr)
  local params = { decisionId = pending.decision.decisionId, choice = "approve", edits = edits_of(edited) }
  decisions.approve(params, function()
    vim.bo[bufnr].modified = false
    vim.api.nvim_buf_delete(bufnr, { force = true })
    notify.info("approved" .. (params.edits and " as edited." or "."))
  end, function(fault)
    show_fault(bufnr, require("quorate.client").explain(fault))
  end)
end

---@param pending quorate.PendingDecision
function M.open(pending)
  local edited, edits_of = subject(pending)
  local name = "quorate://decision/" .. pending.decision.decisionId
  local known = vim.fn.bufnr("^" .. name .. "$")
  if known > 0 then
    return vim.cmd("belowright sbuffer " .. known)
  end
  vim.cmd("belowright new")
  local bufnr = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].buftype = "acwrite"
  vim.bo[bufnr].bufhidden = "wipe"
  vim.bo[bufnr].swapfile = false
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, json.lines(edited))
  vim.bo[bufnr].filetype = "json"
  vim.bo[bufnr].modified = false
  vim.wo.winbar = "%#QuorateDecision# :w approves what stands here, :q decides nothing"
  vim.api.nvim_create_autocmd("BufWriteCmd", {
    buffer = bufnr,
    callback = function()
      approve(pending, bufnr, edits_of)
    end,
  })
end

return M
