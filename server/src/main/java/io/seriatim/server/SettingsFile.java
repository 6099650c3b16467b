package io.seriatim.server;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** Reads settings from a YAML file: one mapping, from a setting's name to one value. */
final class SettingsFile {

    /*
     * YAML's own types do not count: a value is the text that is written there, and is read by the rule that
     * holds for a flag. So 7450 is a port and 0x1D1A is none, and no and off are words like any other.
     */

    private static final YAMLFactory YAML = new YAMLFactory();

    private final Path file;
    private final Map<Setting, String> values = new EnumMap<>(Setting.class);

    private SettingsFile(Path file) {
        this.file = file;
    }

    static Map<Setting, String> read(Path file) {
        try {
            return new SettingsFile(file).read(Files.readString(file));
        } catch (CharacterCodingException e) {
            throw new Refusal(Problem.badRequest("the settings file is not UTF-8: " + file));
        } catch (IOException e) {
            throw new Refusal(Problem.badRequest("--config must name a file that can be read: " + file));
        }
    }

    private Map<Setting, String> read(String text) {
        try (JsonParser parser = YAML.createParser(ObjectReadContext.empty(), text)) {
            JsonToken first = parser.nextToken();
            if (first != null) { // nothing but comments is no setting
                require(first == JsonToken.START_OBJECT, "must be lines of NAME: VALUE");
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    put(parser.currentName(), parser);
                }
                require(parser.nextToken() == null, "must be one document");
            }
            return values;
        } catch (JacksonException e) {
            throw refusal("cannot be read as YAML, at line " + e.getLocation().getLineNr()
                    + ": a name that comes twice," + " a wrong indent or a missing quote");
        }
    }

    private void put(String key, JsonParser parser) {
        Setting setting = Setting.ofKey(key).orElseThrow(() -> refusal("has a name that is no setting: " + key));
        require(setting != Setting.CONFIG, "cannot name another file: config");
        JsonToken token = parser.nextToken();
        require(token != JsonToken.VALUE_NULL, "has no value for " + key);
        require(token.isScalarValue(), "must have one value for " + key + ", in quotes if it begins with a bracket");
        require(values.put(setting, parser.getString()) == null, "has a name twice: " + key);
    }

    private void require(boolean holds, String rule) {
        if (!holds) {
            throw refusal(rule);
        }
    }

    private Refusal refusal(String rule) {
        return new Refusal(Problem.badRequest("the settings file " + file + " " + rule));
    }
}
