return require("teamwright.connection").lsp_config()
