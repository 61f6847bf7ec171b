importScripts(`http://${self.location.hostname}:8080/webpush/worker.js`);
