export function renderPages(root: string): Map<string, string>
