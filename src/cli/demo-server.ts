// Where a demonstration's dashboard is, unless the port was taken.

export const defaultDashboardPort = 16_090;
export const usualServer = `http://127.0.0.1:${defaultDashboardPort}`;
