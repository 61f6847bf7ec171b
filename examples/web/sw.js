importScripts('http://localhost:8080/webpush/worker.js');
