import Foundation
import MartletTesting
import MartletWire

/// Checks an OpenAPI document and answers against it with Python's openapi-spec-validator and jsonschema.
enum PythonValidator {
    private static let script = """
        import json, sys
        from openapi_spec_validator import OpenAPIV31SpecValidator
        from jsonschema import Draft202012Validator
        given = json.load(open(sys.argv[1]))
        document = given["document"]
        errors = [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()]
        for case in given["cases"]:
            name = case["method"] + " " + case["path"] + " " + case["status"]
            responses = document["paths"][case["path"]][case["method"]]["responses"]
            response = responses[case["status"]]
            if "$ref" in response:
                response = document["components"]["responses"]["Error"]
            schema = dict(response["content"]["application/json"]["schema"], components=document["components"])
            for error in Draft202012Validator(schema).iter_errors(case["body"]):
                errors.append(name + ": " + error.message)
            wrong = {"surprise": True, **case["body"]}
            if case["path"] != "/openapi.json" and Draft202012Validator(schema).is_valid(wrong):
                errors.append(name + ": its schema lets anything pass")
        print("\\n".join(errors))
        sys.exit(1 if errors else 0)
        """

    static func run(_ input: JSONValue) throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "input.json")
        try input.json().write(to: file)
        let result = try ProgramProcess.run(["-W", "ignore", "-c", script, file.path], executable: "python3")
        return (result.status, result.standardOutput + result.standardError)
    }
}
