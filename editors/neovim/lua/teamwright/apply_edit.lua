-- `workspace/applyEdit`, ours: every document is checked before the first one changes, and the answer is the truth.
local M = {}

---@class teamwright.Step one document change that can be carried out
---@field index integer
---@field run fun()

---@param uri string
---@return integer? bufnr if it is loaded
local function loaded(uri)
  return require("teamwright.buffers").loaded(vim.uri_to_fname(uri))
end

---@param uri string
---@return string as the user knows it
local function name(uri)
  return require("teamwright.workspace").relative(vim.uri_to_fname(uri))
end

---@param uri string
local function exists(uri)
  return vim.uv.fs_stat(vim.uri_to_fname(uri)) ~= nil
end

---@param bufnr integer
---@param edit lsp.TextEdit
---@return boolean
local function fits(bufnr, edit)
  local last = vim.api.nvim_buf_line_count(bufnr)
  local from, to = edit.range.start, edit.range["end"]
  return from.line <= to.line and from.line <= last and to.line <= last
end

---@param change lsp.TextDocumentEdit
---@param encoding string
---@return fun()? run
---@return string? why not
local function text_edit(change, encoding)
  local uri, version = change.textDocument.uri, change.textDocument.version
  local open = loaded(uri)
  local bufnr = open or vim.uri_to_bufnr(uri)
  -- The version counts what the editor told the server: a newer one means that the user was faster.
  if open and version and version ~= vim.NIL and vim.lsp.util.buf_versions[bufnr] ~= version then
    return nil, ("%s was changed meanwhile"):format(name(uri))
  end
  -- What the user works on is theirs to save; what was on disk only stays on disk.
  local is_users = open and (vim.bo[bufnr].buflisted or vim.bo[bufnr].modified)
  if not open then
    vim.fn.bufload(bufnr)
  end
  if not vim.bo[bufnr].modifiable or vim.bo[bufnr].readonly then
    return nil, ("%s cannot be written"):format(name(uri))
  end
  for _, edit in ipairs(change.edits) do
    if not fits(bufnr, edit) then
      return nil, ("an edit lies outside of %s"):format(name(uri))
    end
  end
  return function()
    -- One undo step of its own, even while the user types in the same buffer.
    vim.bo[bufnr].undolevels = vim.bo[bufnr].undolevels
    vim.lsp.util.apply_text_edits(change.edits, bufnr, encoding)
    if not is_users then
      vim.api.nvim_buf_call(bufnr, function()
        vim.cmd("silent keepalt write ++p")
      end)
    end
  end
end

---@param uri string
---@return boolean whether an earlier change of the same edit makes it
local function made_before(uri, changes, index)
  return vim.iter(vim.list_slice(changes, 1, index - 1)):any(function(change)
    return change.kind == "create" and change.uri == uri
  end)
end

---@param uri string
---@return string? why a file cannot be taken away
local function not_removable(uri)
  local open = loaded(uri)
  if not exists(uri) then
    return ("%s is not there"):format(name(uri))
  elseif open and vim.bo[open].modified then
    return ("%s has changes that are not saved"):format(name(uri))
  end
end

---@param uri string
---@return string?
local function not_creatable(uri)
  return exists(uri) and ("%s is there already"):format(name(uri)) or nil
end

---@type table<string, fun(change: table): fun()?, string?>
local FILE_OPERATIONS = {
  create = function(change)
    local options = change.options or {}
    local taken = not_creatable(change.uri)
    if taken and options.ignoreIfExists and not options.overwrite then
      return function() end
    elseif taken and not options.overwrite then
      return nil, taken
    end
    return function()
      local path = vim.uri_to_fname(change.uri)
      vim.fn.mkdir(vim.fs.dirname(path), "p")
      assert(vim.fn.writefile({}, path) == 0, "it cannot be written")
    end
  end,
  delete = function(change)
    local fixed = not_removable(change.uri)
    if fixed then
      return nil, fixed
    end
    return function()
      local open = loaded(change.uri)
      vim.fs.rm(vim.uri_to_fname(change.uri))
      if open then
        vim.api.nvim_buf_delete(open, { force = true })
      end
    end
  end,
  rename = function(change)
    local fixed = not_removable(change.oldUri) or not_creatable(change.newUri)
    if fixed then
      return nil, fixed
    end
    return function()
      vim.lsp.util.rename(vim.uri_to_fname(change.oldUri), vim.uri_to_fname(change.newUri))
      assert(exists(change.newUri), "it could not be renamed")
    end
  end,
}

---@param edit lsp.WorkspaceEdit
---@return table[] in one form, whichever was used
local function document_changes(edit)
  if edit.documentChanges then
    return edit.documentChanges
  end
  local changes = {}
  for uri, edits in pairs(edit.changes or {}) do
    table.insert(changes, { textDocument = { uri = uri }, edits = edits })
  end
  return changes
end

---@param edit lsp.WorkspaceEdit
---@param encoding string
---@return teamwright.Step[]? steps
---@return lsp.ApplyWorkspaceEditResult? refusal
local function checked(edit, encoding)
  local changes, steps = document_changes(edit), {}
  for index, change in ipairs(changes) do
    local run, why
    if change.kind then
      run, why = FILE_OPERATIONS[change.kind](change)
    elseif made_before(change.textDocument.uri, changes, index) and not exists(change.textDocument.uri) then
      -- It cannot be looked at before it exists; an empty file fits every edit of a new one.
      run = function()
        assert(text_edit(change, encoding))()
      end
    else
      run, why = text_edit(change, encoding)
    end
    if not run then
      return nil, { applied = false, failureReason = why, failedChange = index - 1 }
    end
    table.insert(steps, { index = index - 1, run = run })
  end
  return steps
end

---@param params lsp.ApplyWorkspaceEditParams
---@param context lsp.HandlerContext
---@return lsp.ApplyWorkspaceEditResult
function M.handle(params, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  local steps, refusal = checked(params.edit, client.offset_encoding)
  if not steps then
    return refusal --[[@as lsp.ApplyWorkspaceEditResult]]
  end
  for _, step in ipairs(steps) do
    local ok, why = pcall(step.run)
    if not ok then
      return { applied = false, failureReason = tostring(why), failedChange = step.index }
    end
  end
  return { applied = true }
end

return M
