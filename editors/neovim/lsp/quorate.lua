return require("quorate.connection").lsp_config()
