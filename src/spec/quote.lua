-- SPDX-License-Identifier: Apache-2.0
-- For pandoc: in plain text, code is quoted.
function Code(code)
	return pandoc.Str('"' .. code.text .. '"')
end
