// Where the server is, and which app this page is of. The client key is one that may be in a page: martlet keys create.
window.site = { server: `http://${location.hostname}:8080`, app: 'shop', key: '' };
