-- Buffers by their exact names. `bufnr()` and its kin take patterns: the name of a file such as `a[bc].py` would find
-- the buffer of another one.
local M = {}

---@param path string
---@return string? what the file is, whatever it is called; nil where there is none
local function identity(path)
  local stat = vim.uv.fs_stat(path)
  return stat and stat.ino ~= 0 and ("%d:%d"):format(stat.dev, stat.ino) or nil
end

---@param name string
---@return integer? bufnr of that very name
function M.named(name)
  return vim.iter(vim.api.nvim_list_bufs()):find(function(bufnr)
    return vim.api.nvim_buf_get_name(bufnr) == name
  end)
end

---@param path string
---@return integer? bufnr if the file is loaded, by this name or by another one of its own
function M.loaded(path)
  local file
  local found
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == "" then
      local name = vim.api.nvim_buf_get_name(bufnr)
      if name == path then
        return bufnr
      end
      file = file or identity(path)
      found = found or (file and name ~= "" and identity(name) == file and bufnr) or nil
    end
  end
  return found
end

return M
